// The peers; each gets the text in the way that its documentation describes for streaming.

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
  return { appendMarkdown: (text) => smd.parser_write(parser, text), end: () => smd.parser_end(parser) };
};

contenders['markdown-it, tail parse'] = (container) => {
  const markdown = new MarkdownIt({ linkify: true });
  const env = {};
  const open = document.createElement('div');
  container.append(open);
  let tail = '';
  return {
    appendMarkdown(text) {
      tail += text;
      const tokens = markdown.parse(tail, env);
      const last = tokens.findLastIndex(({ level, nesting }) => level === 0 && nesting >= 0);
      const line = tokens[last]?.map?.[0] ?? 0;
      const lines = tail.split('\n');
      // The blocks before the last one are closed when the last one has a complete line.
      if (line > 0 && lines.length > line + 2) {
        const closed = document.createElement('div');
        closed.innerHTML = markdown.renderer.render(tokens.slice(0, last), markdown.options, env);
        open.before(...closed.childNodes);
        tail = lines.slice(line).join('\n');
        open.innerHTML = markdown.renderer.render(tokens.slice(last), markdown.options, env);
      } else open.innerHTML = markdown.renderer.render(tokens, markdown.options, env);
    },
    end: noop,
  };
};

contenders['markdown-it'] = renderWhole((text) => new MarkdownIt({ linkify: true }).render(text));
contenders.marked = renderWhole((text) => marked.parse(text));
contenders['react-markdown'] = renderWithReact((text) =>
  createElement(ReactMarkdown, { remarkPlugins: [remarkGfm] }, text),
);
contenders.streamdown = renderWithReact((text) => createElement(Streamdown, null, text));

/** Renders all text again for each update. */
function renderWhole(render) {
  return (container) => {
    let all = '';
    return {
      appendMarkdown(text) {
        all += text;
        container.innerHTML = render(all);
      },
      end: noop,
    };
  };
}

function renderWithReact(element) {
  return (container) => {
    const root = createRoot(container);
    let all = '';
    return {
      appendMarkdown(text) {
        all += text;
        return new Promise((resolve) => root.render(createElement(Committed, { resolve }, element(all))));
      },
      end: noop,
    };
  };
}

/** Calls `resolve` when React has put the children into the page. */
function Committed({ resolve, children }) {
  useLayoutEffect(resolve);
  return children;
}

function noop() {
  // All appended text is already shown.
}
