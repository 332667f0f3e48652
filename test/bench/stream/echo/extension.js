// A minimal chat panel: posts each chunk unchanged, and the page appends it as plain text.
const http = require('node:http');
const vscode = require('vscode');

/** A text node per paragraph; the reversed column keeps the end in view without a script. */
const html = `<!DOCTYPE html>
<html>
  <body style="height: 100vh; display: flex; flex-direction: column-reverse; overflow: auto">
    <div id="echo"></div>
    <script>
      const echo = document.getElementById('echo');
      window.addEventListener('message', ({ data }) => {
        for (const [index, part] of data.split('\\n\\n').entries()) {
          if (index > 0 || !echo.lastChild) echo.append(document.createElement('p'));
          const paragraph = echo.lastChild;
          if (paragraph.firstChild) paragraph.firstChild.appendData(part);
          else paragraph.append(part);
        }
      });
    </script>
  </body>
</html>`;

exports.activate = () => {
  const column = { viewColumn: vscode.ViewColumn.Active, preserveFocus: true };
  const { webview } = vscode.window.createWebviewPanel('echo', 'Echo', column, { enableScripts: true });
  webview.html = html;
  // Chunks end with NUL, because two of them may arrive at once.
  http.get(process.env.PARLEY_BENCH_ECHO, (answer) => {
    let held = '';
    answer.setEncoding('utf8').on('data', (data) => {
      const chunks = (held + data).split('\0');
      held = chunks.pop();
      for (const chunk of chunks) void webview.postMessage(chunk);
    });
  });
};
