import { createIntentSchema } from '../../shared/intents';

/** The schema of a page's messages. */
export const intentSchema = createIntentSchema();
