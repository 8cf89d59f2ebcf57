// @ts-check
// Short sounds for moves and the end of a game; off by default, and the choice is stored.

import { loadPreference, savePreference } from "./storage.js";

/** @type {AudioContext | undefined} */
let context;

export const isOn = () => loadPreference("sound") === "on";

/** Turns sounds on or off. Browsers allow sound only after a click, so call this from one. */
export function toggle() {
  savePreference("sound", isOn() ? "off" : "on");
  playSound("o");
  return isOn();
}

/** Plays the sound of a move (`x` or `o`) or of the end of the game (`end`).
 * @param {Side | "end"} kind */
export function playSound(kind) {
  if (!isOn()) return;
  context ??= new AudioContext();
  if (kind === "end") for (const [n, frequency] of [392, 523, 659].entries()) tone(context, frequency, n * 0.08, 0.3);
  else tone(context, kind === "x" ? 330 : 262, 0, 0.12);
}

/**
 * @param {AudioContext} audio
 * @param {number} frequency
 * @param {number} delay
 * @param {number} duration
 */
function tone(audio, frequency, delay, duration) {
  const [oscillator, gain, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + delay];
  oscillator.type = "triangle";
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0.12, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + duration);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + duration);
}
