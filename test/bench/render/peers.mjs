// The peers: each is given the text the way its own documentation says to stream.

import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { createElement, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Streamdown } from 'streamdown';
import * as smd from 'streaming-markdown';

const { contenders } = window.bench;

contenders['streaming-markdown'] = (container) => {
  const parser = smd.parser(smd.default_renderer(container));
  return { append: (text) => smd.parser_write(parser, text), end: () => smd.parser_end(parser) };
};

contenders['markdown-it, tail parse'] = (container) => {
  const markdown = new MarkdownIt({ linkify: true });
  const env = {};
  const open = document.createElement('div');
  container.append(open);
  let tail = '';
  return {
    append(text) {
      tail += text;
      const tokens = markdown.parse(tail, env);
      const last = tokens.findLastIndex(({ level, nesting }) => level === 0 && nesting >= 0);
      const line = tokens[last]?.map?.[0] ?? 0;
      const lines = tail.split('\n');
      // The blocks before the last one are closed once that one stands on a complete line.
      if (line > 0 && lines.length > line + 2) {
        const closed = document.createElement('div');
        closed.innerHTML = markdown.renderer.render(tokens.slice(0, last), markdown.options, env);
        open.before(...closed.childNodes);
        tail = lines.slice(line).join('\n');
        open.innerHTML = markdown.renderer.render(tokens.slice(last), markdown.options, env);
      } else open.innerHTML = markdown.renderer.render(tokens, markdown.options, env);
    },
    end: nothing,
  };
};

contenders['markdown-it'] = whole((text) => new MarkdownIt({ linkify: true }).render(text));
contenders.marked = whole((text) => marked.parse(text));
contenders['react-markdown'] = react((text) =>
  createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, text),
);
contenders.streamdown = react((text) => createElement(Streamdown, null, text));

/** Renders everything again for every update. */
function whole(render) {
  return (container) => {
    let all = '';
    return {
      append(text) {
        all += text;
        container.innerHTML = render(all);
      },
      end: nothing,
    };
  };
}

function react(element) {
  return (container) => {
    const root = createRoot(container);
    let all = '';
    return {
      append(text) {
        all += text;
        return new Promise((resolve) => root.render(createElement(Committed, { resolve }, element(all))));
      },
      end: nothing,
    };
  };
}

/** Says when React has put it into the page. */
function Committed({ resolve, children }) {
  useLayoutEffect(resolve);
  return children;
}

function nothing() {
  // What was appended is shown.
}
