// What only the benchmark has installed.
import hljs from 'highlight.js/lib/core';
import typescript from 'highlight.js/lib/languages/typescript';

hljs.registerLanguage('typescript', typescript);

const { contenders, whole } = window.bench;

contenders['highlight.js, whole block'] = (container) =>
  whole(container, (code, text) => {
    code.innerHTML = hljs.highlight(text, { language: 'typescript' }).value;
  });
