import { randomBytes } from 'node:crypto';
import type { Bot, Pace } from './bots/bot';
import { echo } from './bots/echo';
import { defaultLimits, type Limits } from './limits';
import { type Profile, type ProfileName, profiles } from './profiles';

/** An external object store. */
export interface ObjectStorage {
  /** Returns a URL for a PUT with this content type; an expired one on request. */
  presign(key: string, contentType: string, expired: boolean): Promise<string>;
  /** Returns the stored bytes; undefined if there are none. */
  read(key: string): Promise<Buffer | undefined>;
}

/** Each field of a profile can also be set on its own. */
export interface LocalServiceOptions extends Partial<Profile> {
  /** Defaults to `lenient`. */
  readonly profile?: ProfileName;
  /** Defaults to free ports. */
  readonly ports?: { readonly api: number; readonly stream: number; readonly storage: number };
  /** Defaults to a random key. */
  readonly key?: string;
  /** Only Echo by default; `demo/demoBots.ts` has more. */
  readonly bots?: readonly Bot[];
  /** Messages per 30 days before a 402. Unlimited by default. */
  readonly quota?: number;
  /** How fast the bots reply. Defaults to `instant`. */
  readonly pace?: Pace;
  /** The size limit of a document. Defaults to 100 MB. */
  readonly maxUploadBytes?: number;
  /** Counts and discards uploaded bytes, so that objects stay empty: for measurements. */
  readonly discardUploads?: boolean;
  /** Sends uploads to this store instead of the built-in one. */
  readonly objectStorage?: ObjectStorage;
  /** Serves streams from the API's origin and requires its key for them. */
  readonly streamOnApi?: boolean;
  /** Replaces some of `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /**
   * Milliseconds since the epoch, for quota, expiry, conversions, late replies and rate limits. Defaults
   * to the system clock.
   */
  readonly now?: () => number;
}

/** The options with all defaults applied. */
export interface Settings extends Profile {
  readonly key: string;
  readonly bots: readonly Bot[];
  readonly quota: number;
  readonly pace: Pace;
  readonly maxUploadBytes: number;
  readonly discardUploads: boolean;
  readonly objectStorage: ObjectStorage | undefined;
  readonly streamOnApi: boolean;
  readonly limits: Limits;
}

export function createSettings(options: LocalServiceOptions): Settings {
  return {
    ...profiles[options.profile ?? 'lenient'],
    key: `parley-local-${randomBytes(6).toString('hex')}`,
    bots: [echo],
    quota: Number.POSITIVE_INFINITY,
    pace: 'instant',
    maxUploadBytes: 100_000_000,
    discardUploads: false,
    objectStorage: undefined,
    streamOnApi: false,
    ...options,
    limits: { ...defaultLimits, ...options.limits },
  };
}
