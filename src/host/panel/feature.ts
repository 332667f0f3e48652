import type { Disposable } from 'vscode';
import type { IntentHandlers } from './intentDispatcher';

export type CommandHandler = (...args: unknown[]) => unknown;

/** What a feature handles. */
export interface Feature {
  /** By the name of the manifest's command: `find` for `parley.find`. Most apply to the conversation shown last. */
  readonly commands?: Readonly<Record<string, CommandHandler>>;
  /** Every ID in a page's intent is looked up, never trusted. */
  readonly intents?: Partial<IntentHandlers>;
  /** Starts what needs no command and no intent, such as quick fixes, once Parley is first used in a window. */
  readonly start?: () => Disposable;
}

type Kind = 'commands' | 'intents';
type Handlers<T extends readonly Feature[], K extends Kind> = {
  [I in keyof T]: T[I] extends { readonly [P in K]: infer H } ? H : object;
};

type KeysOf<T> = T extends unknown ? keyof T : never;
type DoubledKeys<T extends readonly unknown[]> = T extends readonly [infer First, ...infer Rest]
  ? (keyof First & KeysOf<Rest[number]>) | DoubledKeys<Rest>
  : never;
/** The names that more than one feature handles. */
type Doubled<T extends readonly Feature[]> =
  | DoubledKeys<Handlers<T, 'commands'>>
  | DoubledKeys<Handlers<T, 'intents'>>;

type Intersection<T> = (T extends unknown ? (part: T) => void : never) extends (part: infer I) => void
  ? I
  : never;

/** Merges the handlers of features. Two handlers for one name don't compile; the error has the name. */
export function mergeFeatures<const T extends readonly Feature[]>(
  features: T & ([Doubled<T>] extends [never] ? unknown : Doubled<T>),
) {
  const merge = <K extends Kind>(kind: K): Intersection<Handlers<T, K>[number]> =>
    Object.assign({}, ...features.map((feature: Feature) => feature[kind]));
  return { commands: merge('commands'), intents: merge('intents') };
}
