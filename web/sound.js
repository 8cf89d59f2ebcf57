// Short sounds for moves and the end of a game; off by default, and the choice is stored.

import { loadPreference, savePreference } from "./memory.js";

let context = null;

export const isOn = () => loadPreference("sound") === "on";

/** Turns sounds on or off. Browsers allow sound only after a click, so call this from one. */
export function toggle() {
  savePreference("sound", isOn() ? "off" : "on");
  if (isOn()) playSound("o");
  return isOn();
}

function tone(frequency, start, duration) {
  const [oscillator, gain] = [context.createOscillator(), context.createGain()];
  oscillator.type = "triangle";
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0.12, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + duration);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + duration);
}

/** Plays the sound of a move (`x` or `o`) or of the end of the game (`end`). */
export function playSound(kind) {
  if (!isOn()) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  if (kind === "end") [392, 523, 659].forEach((frequency, n) => tone(frequency, now + n * 0.08, 0.3));
  else tone(kind === "x" ? 330 : 262, now, 0.12);
}
