import type { Bot } from '../bots/bot';
import { echo } from '../bots/echo';
import { guide } from './guide';

/** The bots for trying out Parley: `npm start`, the pictures, and tests that need answers from documents. */
export const demoBots: readonly Bot[] = [guide, echo];
