// Possible parsers for the renderer, each on the whole text; the cost of a tail parse depends on it.
import { GFM, parser as lezer } from '@lezer/markdown';
import MarkdownIt from 'markdown-it';
import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import { renderMarkdown } from '../../../src/webview/markdown/markdownStream';

const markdownIt = new MarkdownIt({ linkify: true });
const lezerGfm = lezer.configure(GFM);

const parsers = {
  'markdown-it': (text) => markdownIt.parse(text, {}),
  '@lezer/markdown (finds no references, decodes nothing)': (text) => lezerGfm.parse(text),
  micromark: (text) => {
    const chunks = preprocess()(text, undefined, true);
    return postprocess(
      parse({ extensions: [gfm()] })
        .document()
        .write(chunks),
    );
  },
  'Parley, with the nodes built': (text) => renderMarkdown(document.createElement('div'), text),
};

/** Returns the median time (ms) of each parser for the text. */
export function measureParsers(text) {
  const times = Object.entries(parsers).map(([name, run]) => {
    const all = Array.from({ length: 9 }, () => {
      const start = performance.now();
      run(text);
      return performance.now() - start;
    });
    return [name, all.sort((one, other) => one - other)[4]];
  });
  return Object.fromEntries(times);
}
