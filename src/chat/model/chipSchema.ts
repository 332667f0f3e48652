import * as v from 'valibot';
import type { ContextChip } from '../../shared/message';

/** A chip as it is stored with a draft or a queued message. */
export const chipSchema: v.GenericSchema<unknown, ContextChip> = v.object({
  id: v.string(),
  kind: v.picklist(['selection', 'file', 'problems', 'terminal', 'diff']),
  name: v.string(),
  text: v.string(),
});
