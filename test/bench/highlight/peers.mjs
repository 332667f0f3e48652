// The highlighters that are only installed for the benchmark.
import hljs from 'highlight.js/lib/core';
import typescript from 'highlight.js/lib/languages/typescript';

hljs.registerLanguage('typescript', typescript);

const { contenders, showWhole } = window.bench;

contenders['highlight.js, whole block'] = (container) =>
  showWhole(container, (code, text) => {
    code.innerHTML = hljs.highlight(text, { language: 'typescript' }).value;
  });
