import { createIntentSchema } from '../../../shared/protocol/intents';

/** The schema of a page's messages. */
export const intentSchema = createIntentSchema();
