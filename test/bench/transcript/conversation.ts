import type { PanelState, Turn } from '../../../src/shared/viewModel';
import { sampleTheme } from '../../webview/highlight/sampleThemes';
import { message, panelState, reply } from '../../webview/support/states';

const SENTENCE = 'It reads the file once, keeps what it *needs* and hands the rest on to `next`. ';

/** A conversation of so many turns, as people have them: short questions, replies of half a screen, code in every fourth. */
export function conversation(turns: number): PanelState {
  const pairs = Array.from({ length: turns / 2 }, (_, n): Turn[] => [
    message(`m${n}`, `Question ${n}: how does it work?`),
    reply(`r${n}`, answer(n)),
  ]);
  return panelState({ turns: pairs.flat() }, { codeTheme: sampleTheme });
}

function answer(n: number): string {
  const code = `\n\n\`\`\`ts\nexport function read${n}(file: string): string {\n  // Once.\n  return open(file).text();\n}\n\`\`\``;
  const list = '- first **this**\n- then that\n- and at last the other';
  return `${SENTENCE.repeat(2 + (n % 4))}\n\n${list}\n\n${SENTENCE}${n % 4 === 0 ? code : ''}\n\nAnswer ${n} ends.`;
}
