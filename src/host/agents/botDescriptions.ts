import { toPlainText } from '../../client/plainText';
import { getBotDescriptionsSetting } from '../base/settings';

const MAX_DESCRIBED_BOTS = 50;
/** In code points. */
const MAX_LENGTH = 200;

/** Returns what the user says that bots know, in a line each, by the bots' names or IDs as the user wrote them. */
export function getBotDescriptions(): ReadonlyMap<string, string> {
  const setting = getBotDescriptionsSetting();
  if (typeof setting !== 'object' || setting === null) return new Map();
  const entries = Object.entries(setting).slice(0, MAX_DESCRIBED_BOTS);
  return new Map(
    entries.flatMap(([bot, text]) => {
      const [name, line] = [bot, typeof text === 'string' ? text : ''].map((each) =>
        toPlainText(each.replace(/\s+/g, ' '), MAX_LENGTH),
      );
      return name && line ? [[name, line] as const] : [];
    }),
  );
}
