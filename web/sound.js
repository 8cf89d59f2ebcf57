// Short sounds for moves and ends; silent until asked for, and the choice is kept.

import { kept, keep } from "./memory.js";

let context = null;

export const isOn = () => kept("sound") === "on";

/** On or off; a browser lets sound begin only with a click, so this is called by one. */
export function toggle() {
  keep("sound", isOn() ? "off" : "on");
  if (isOn()) sound("o");
  return isOn();
}

function tone(pitch, at, long) {
  const [voice, loud] = [context.createOscillator(), context.createGain()];
  voice.type = "triangle";
  voice.frequency.value = pitch;
  loud.gain.setValueAtTime(0.12, at);
  loud.gain.exponentialRampToValueAtTime(0.001, at + long);
  voice.connect(loud).connect(context.destination);
  voice.start(at);
  voice.stop(at + long);
}

/** A mark of X, of O, or the end. */
export function sound(what) {
  if (!isOn()) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  if (what === "end") [392, 523, 659].forEach((pitch, n) => tone(pitch, now + n * 0.08, 0.3));
  else tone(what === "x" ? 330 : 262, now, 0.12);
}
