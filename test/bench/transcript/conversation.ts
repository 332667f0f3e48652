import type { PanelState, Turn } from '../../../src/shared/view/viewModel';
import { sampleTheme } from '../../webview/highlight/sampleThemes';
import { message, panelState, reply } from '../../webview/support/states';

const SENTENCE = 'It reads the file once, keeps what it *needs* and hands the rest on to `next`. ';

/**
 * Creates a conversation with this many turns, like real ones: short questions, replies of half a screen, and
 * code in every fourth reply. `more` begins each reply, in a paragraph that is there anyway.
 */
export function createConversation(turns: number, more = ''): PanelState {
  const pairs = Array.from({ length: turns / 2 }, (_, n): Turn[] => [
    message(`m${n}`, `Question ${n}: how does it work?`),
    reply(`r${n}`, `${more}${createAnswer(n)}`),
  ]);
  return panelState({ turns: pairs.flat() }, { codeTheme: sampleTheme });
}

function createAnswer(n: number): string {
  const code = `\n\n\`\`\`ts\nexport function read${n}(file: string): string {\n  // Once.\n  return open(file).text();\n}\n\`\`\``;
  const list = '- first **this**\n- then that\n- and at last the other';
  return `${SENTENCE.repeat(2 + (n % 4))}\n\n${list}\n\n${SENTENCE}${n % 4 === 0 ? code : ''}\n\nAnswer ${n} ends.`;
}
