import js from "@eslint/js";

export default [
  js.configs.recommended,
  {
    rules: {
      // The type checker knows every name.
      "no-undef": "off",
      "no-unused-vars": "off",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-else-return": "error",
      "no-implicit-coercion": ["error", { string: false }],
      "no-lonely-if": "error",
      "no-param-reassign": "off",
      "no-shadow": "error",
      "no-unneeded-ternary": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "require-await": "error",
      yoda: "error",
    },
  },
];
