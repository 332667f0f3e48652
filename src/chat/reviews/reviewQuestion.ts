import { escapeInvisible } from '../../shared/text/escapeInvisible';

/** In code points; a longer name is cut in the question. */
const MAX_NAME_LENGTH = 120;

/** Returns a name from elsewhere as it may stand in a question: on one line, with what can't be seen in it. */
export function toQuestionName(name: string): string {
  const points = [...escapeInvisible(name.replace(/\s+/g, ' '))];
  return points.length <= MAX_NAME_LENGTH ? points.join('') : `${points.slice(0, MAX_NAME_LENGTH).join('')}…`;
}
