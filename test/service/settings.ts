import { randomBytes } from 'node:crypto';
import type { Pace } from './bots/bot';
import type { OpenAiOptions } from './bots/openAi';
import { type Profile, type ProfileName, profiles } from './profiles';

/** A store of somebody else's make. */
export interface ObjectStorage {
  /** The URL that a PUT with this content type may go to; one that has expired already, where that is asked for. */
  presign(key: string, contentType: string, expired: boolean): Promise<string>;
  /** What was put there; undefined where nothing was. */
  read(key: string): Promise<Buffer | undefined>;
}

/** Each field of a profile may also be set by itself. */
export interface LocalServiceOptions extends Partial<Profile> {
  /** Default `lenient`. */
  readonly profile?: ProfileName;
  /** Default: any free ones. */
  readonly ports?: { readonly api: number; readonly stream: number; readonly storage: number };
  /** Default: random. */
  readonly key?: string;
  /** Messages per 30 days, then 402. Default: no limit. */
  readonly quota?: number;
  /** How fast the bots talk. Default `instant`. */
  readonly pace?: Pace;
  /** Of a document. Default 100 MB. */
  readonly maxUploadBytes?: number;
  /** Uploaded bytes are counted and dropped, and the objects stay empty: for measurements. */
  readonly discardUploads?: boolean;
  /** Of a document, without the dot. */
  readonly acceptedExtensions?: readonly string[];
  /** Uploads go to this store in place of our own. */
  readonly objectStorage?: ObjectStorage;
  /** Stream URLs are on the API's own origin and want its key. */
  readonly streamOnApi?: boolean;
  /** Older requests are forgotten. Default: none is. */
  readonly maxRecordedRequests?: number;
  /** Milliseconds since the epoch, for quota, expiry, conversions and rate limits. Default: the clock. */
  readonly now?: () => number;
  /** Adds the bot Model, which speaks to an OpenAI-compatible server. */
  readonly openAi?: OpenAiOptions;
}

/** What the service was started with, complete. */
export interface Settings extends Profile {
  readonly key: string;
  readonly quota: number;
  readonly pace: Pace;
  readonly maxUploadBytes: number;
  readonly discardUploads: boolean;
  readonly objectStorage: ObjectStorage | undefined;
  readonly acceptedExtensions: readonly string[];
  readonly streamOnApi: boolean;
  readonly maxRecordedRequests: number;
}

const defaultExtensions = ['txt', 'md', 'rtf', 'pdf', 'ppt', 'pptx', 'pptm', 'doc', 'docx', 'docm'];

export function createSettings(options: LocalServiceOptions): Settings {
  return {
    ...profiles[options.profile ?? 'lenient'],
    key: `parley-local-${randomBytes(6).toString('hex')}`,
    quota: Number.POSITIVE_INFINITY,
    pace: 'instant',
    maxUploadBytes: 100_000_000,
    discardUploads: false,
    objectStorage: undefined,
    acceptedExtensions: defaultExtensions,
    streamOnApi: false,
    maxRecordedRequests: Number.POSITIVE_INFINITY,
    ...options,
  };
}
