import * as v from 'valibot';
import { flag, type Infer } from './conversationSchemas';

/** In code units. */
export const MAX_MENTION_QUERY_LENGTH = 100;

/** Something that a message can mention. It becomes a chip, or a document if it doesn't fit into the message. */
export const mentionSchema = v.object({
  /** Known to the host until the page opens the list again. */
  id: v.string(),
  kind: v.picklist([
    'editor',
    'selection',
    'problems',
    'diff',
    'terminal',
    'document',
    'file',
    'folder',
    'symbol',
  ]),
  name: v.string(),
  /** Its location, such as a folder. */
  description: v.exactOptional(v.string()),
  /** Length of its chip in code points, once known. */
  characters: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
  /** It can't become a chip, such as a folder or an image. */
  uploads: flag,
});

/** A mention as shown by the page. */
export type MentionView = Infer<typeof mentionSchema>;
