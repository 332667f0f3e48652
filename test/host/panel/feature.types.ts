import { type Feature, mergeFeatures } from '../../../src/host/panel/feature';
import type { IntentHandlers } from '../../../src/host/panel/intentDispatcher';

// Compiled with the lint, and never run: two features don't handle the same command or intent, and an intent needs a handler.

const find = { commands: { find: () => 1 } } satisfies Feature;
const stop = { commands: { stop: () => 2 }, intents: { stop: () => undefined } } satisfies Feature;

export const merged: { find: () => number; stop: () => number } = mergeFeatures([find, stop]).commands;

// @ts-expect-error: both handle the command
mergeFeatures([find, stop, { commands: { find: () => 3 } }]);
// @ts-expect-error: both handle the intent
mergeFeatures([stop, { intents: { stop: () => undefined } }]);
// @ts-expect-error: intents without a handler
export const incomplete: IntentHandlers = mergeFeatures([find, stop]).intents;
// @ts-expect-error: no such intent
export const unknown = { intents: { nothing: () => undefined } } satisfies Feature;
