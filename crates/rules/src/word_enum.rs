//! Enums whose variants are words in files, in JSON and on the command line.

/// Declares an enum and the word of each variant, with `ALL` and a method that returns the word.
///
/// ```
/// noughts_rules::word_enum! {
///     /// A color.
///     pub enum Color, word: name {
///         /// Like fire.
///         Red = "red",
///         /// Like the sky.
///         Blue = "blue",
///     }
/// }
/// assert_eq!(Color::ALL.map(Color::name), ["red", "blue"]);
/// assert_eq!(Color::from_word("blue"), Some(Color::Blue));
/// assert_eq!(Color::from_word("Blue"), None);
/// ```
#[macro_export]
macro_rules! word_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident, word: $word_of:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $visibility enum $name {
            $($(#[$variant_attribute])* $variant,)+
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$variant),+];

            /// The word for it.
            #[must_use]
            pub const fn $word_of(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }

            /// The one with this word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|one| one.$word_of() == word)
            }
        }
    };
}
