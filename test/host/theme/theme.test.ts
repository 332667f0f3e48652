import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findActiveTheme } from '../../../src/host/theme/activeTheme';
import { CodeThemes } from '../../../src/host/theme/codeThemes';
import { createPlainTheme } from '../../../src/host/theme/plainTheme';
import { resolveCodeTheme } from '../../../src/host/theme/resolveCodeTheme';
import { readThemeFile } from '../../../src/host/theme/themeFile';
import { parseCustomRules } from '../../../src/host/theme/tokenCustomizations';
import type { CodeTheme } from '../../../src/shared/view/codeTheme';
import { setSetting } from '../support/setSetting';

const { ColorThemeKind } = vscode;

describe('The colors of code', () => {
  let log: vscode.LogOutputChannel;
  /** The kind of a new profile's theme. */
  const defaultKind = vscode.window.activeColorTheme.kind;
  const changed: string[] = [];

  before(() => {
    log = vscode.window.createOutputChannel('Theme test', { log: true });
  });

  after(() => log.dispose());

  afterEach(async () => {
    for (const name of changed.splice(0)) await setSetting(name, undefined);
    await untilKind(defaultKind);
  });

  const set = async (section: string, key: string, value: unknown) => {
    changed.push(`${section}.${key}`);
    await setSetting(`${section}.${key}`, value);
  };

  const untilKind = async (kind: vscode.ColorThemeKind) => {
    if (vscode.window.activeColorTheme.kind === kind) return;
    await new Promise<void>((resolve) => {
      const subscription = vscode.window.onDidChangeActiveColorTheme((theme) => {
        if (theme.kind !== kind) return;
        subscription.dispose();
        resolve();
      });
    });
  };

  /** Returns the style of the last rule with exactly this scope. */
  const rule = (theme: CodeTheme, scope: string) => {
    const found = theme.findLast((candidate) => candidate.scope.includes(scope));
    return { foreground: found?.foreground, fontStyle: found?.fontStyle };
  };

  it('are read from Dark Modern, which includes Dark+, which includes Visual Studio Dark', async () => {
    await set('workbench', 'colorTheme', 'Dark Modern');
    await untilKind(ColorThemeKind.Dark);
    const theme = await resolveCodeTheme(log);
    assert.equal(findActiveTheme()?.name, 'Dark Modern');
    assert.equal(rule(theme, 'entity.name.function').foreground, '#DCDCAA');
    assert.equal(rule(theme, 'comment').foreground, '#6A9955');
    assert.deepEqual(rule(theme, 'markup.bold'), { foreground: '#569cd6', fontStyle: 'bold' });
  });

  it('are found by the former names of VS Code’s themes', async () => {
    await set('workbench', 'colorTheme', 'Default Light Modern');
    await untilKind(ColorThemeKind.Light);
    assert.match(findActiveTheme()?.name ?? '', /Light Modern$/);
    assert.equal(rule(await resolveCodeTheme(log), 'comment').foreground, '#008000');
  });

  it('are read from a high contrast theme', async () => {
    await set('workbench', 'colorTheme', 'Default High Contrast Light');
    await untilKind(ColorThemeKind.HighContrastLight);
    assert.equal(findActiveTheme()?.name, 'Default High Contrast Light');
    assert.equal(rule(await resolveCodeTheme(log), 'comment').foreground, '#515151');
  });

  it('are those of the preferred theme for the system’s color scheme', async () => {
    await set('workbench', 'colorTheme', 'Monokai');
    await set('workbench', 'preferredLightColorTheme', 'Quiet Light');
    await set('workbench', 'preferredDarkColorTheme', 'Abyss');
    await set('window', 'autoDetectColorScheme', true);
    const { kind } = vscode.window.activeColorTheme;
    assert.equal(findActiveTheme()?.name, kind === ColorThemeKind.Light ? 'Quiet Light' : 'Abyss');
  });

  it('include customizations for all themes, overridden by those for the active theme', async () => {
    await set('workbench', 'colorTheme', 'Abyss');
    await set('editor', 'tokenColorCustomizations', {
      comments: '#111111',
      strings: { foreground: '#222222', fontStyle: 'bold' },
      '[Abyss]': { comments: '#333333', textMateRules: [{ scope: 'storage', settings: { fontStyle: '' } }] },
      '[Monokai]': { comments: '#444444' },
    });
    const theme = await resolveCodeTheme(log);
    assert.equal(rule(theme, 'comment').foreground, '#333333');
    assert.deepEqual(rule(theme, 'string'), { foreground: '#222222', fontStyle: 'bold' });
    assert.deepEqual(rule(theme, 'storage'), { foreground: undefined, fontStyle: '' });
  });

  it('fire a change when they change', async () => {
    const themes = new CodeThemes(log);
    themes.start();
    /** Waits for a theme with this color of comments. */
    const untilComment = (color: string) =>
      new Promise<CodeTheme>((resolve) => {
        const subscription = themes.onDidChange((theme) => {
          if (rule(theme, 'comment').foreground?.toLowerCase() !== color) return;
          subscription.dispose();
          resolve(theme);
        });
      });
    try {
      const monokai = untilComment('#88846f');
      await set('workbench', 'colorTheme', 'Monokai');
      await monokai;
      const abyss = untilComment('#384887');
      await set('workbench', 'colorTheme', 'Abyss');
      await abyss;
      // From here on, the system's color scheme selects the theme.
      const detected = untilComment('#a57a4c');
      await set('workbench', 'preferredLightColorTheme', 'Kimbie Dark');
      await set('workbench', 'preferredDarkColorTheme', 'Kimbie Dark');
      await set('window', 'autoDetectColorScheme', true);
      await detected;
      const customized = untilComment('#123456');
      await set('editor', 'tokenColorCustomizations', { comments: '#123456' });
      assert.deepEqual(await customized, themes.current);
      const without = untilComment('#a57a4c');
      await set('editor', 'tokenColorCustomizations', undefined);
      await without;
    } finally {
      themes.dispose();
    }
  });
});

describe('A theme file', () => {
  let folder: vscode.Uri;

  before(async () => {
    const workspace = vscode.workspace.workspaceFolders?.[0];
    assert.ok(workspace);
    folder = vscode.Uri.joinPath(workspace.uri, 'themes');
  });

  after(() => vscode.workspace.fs.delete(folder, { recursive: true }));

  const write = async (name: string, text: string) => {
    const file = vscode.Uri.joinPath(folder, name);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    return file;
  };

  it('can have comments, trailing commas, scopes in one string, an include and its list in another file', async () => {
    await write(
      'base.json',
      '{ "tokenColors": [{ "scope": "a, b", "settings": { "foreground": "#111" } }] }',
    );
    await write('list.json', '{ "tokenColors": [{ "scope": ["c"], "settings": { "fontStyle": "bold" } }] }');
    const file = await write(
      'theme.json',
      '{ // A comment\n "include": "./base.json", "tokenColors": "./list.json", }',
    );
    assert.deepEqual(await readThemeFile(file), [
      { scope: ['a', 'b'], foreground: '#111' },
      { scope: ['c'], fontStyle: 'bold' },
    ]);
  });

  it('can have invalid rules, which are skipped', async () => {
    const file = await write(
      'odd.json',
      '{ "tokenColors": [null, 1, {}, { "settings": { "foreground": "#111" } }, { "scope": "a", "settings": { "foreground": 3 } }] }',
    );
    assert.deepEqual(await readThemeFile(file), [{ scope: ['a'] }]);
  });

  it('reads a TextMate theme in XML', async () => {
    const rules = [
      '<dict><key>settings</key><dict><key>background</key><string>#000</string></dict></dict>',
      '<dict><key>name</key><string>Comment</string><key>scope</key><string>comment, string.quoted</string>' +
        '<key>settings</key><dict><key>foreground</key><string>#75715E</string>' +
        '<key>fontStyle</key><string>italic</string></dict></dict>',
    ];
    const text =
      '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "PropertyList-1.0.dtd">\n' +
      `<plist version="1.0"><dict><key>name</key><string>Mine &amp; yours</string><key>settings</key><array>${rules.join('')}</array></dict></plist>`;
    const expected = [{ scope: ['comment', 'string.quoted'], foreground: '#75715E', fontStyle: 'italic' }];
    assert.deepEqual(await readThemeFile(await write('mine.tmTheme', text)), expected);
    const file = await write('with.json', '{ "tokenColors": "./mine.tmTheme" }');
    assert.deepEqual(await readThemeFile(file), expected);
  });

  it('is rejected if it includes itself, is invalid XML or doesn’t exist', async () => {
    await assert.rejects(readThemeFile(await write('self.json', '{ "include": "self.json" }')), /too many/);
    for (const text of ['<?xml version="1.0"?><plist/>', '<plist><dict><key>settings</key>', '{}', '']) {
      await assert.rejects(readThemeFile(await write('xml.tmTheme', text)), text);
    }
    await assert.rejects(readThemeFile(vscode.Uri.joinPath(folder, 'none.json')));
  });

  it('has a plain replacement for each theme kind', () => {
    for (const kind of [
      ColorThemeKind.Light,
      ColorThemeKind.Dark,
      ColorThemeKind.HighContrast,
      ColorThemeKind.HighContrastLight,
    ]) {
      assert.ok(createPlainTheme(kind).some(({ scope }) => scope.includes('comment')));
    }
  });
});

describe('Customizations of token colors', () => {
  it('apply to the themes that match their keys, with * for any characters', () => {
    const setting = {
      '[Abyss][Red]': { comments: '#111' },
      '[*Dark*]': { comments: '#222' },
      '[A.yss]': { comments: '#333' },
    };
    const comments = (theme: string) => parseCustomRules(setting, theme).map(({ foreground }) => foreground);
    assert.deepEqual(comments('Red'), ['#111']);
    assert.deepEqual(comments('My Dark One'), ['#222']);
    assert.deepEqual(comments('Abyss'), ['#111']);
    assert.deepEqual(comments('Light'), []);
  });

  it('ignores customizations with any invalid value', () => {
    for (const setting of [undefined, null, 1, 'x', [], { comments: 1, textMateRules: 'x', '[A]': null }]) {
      assert.deepEqual(
        parseCustomRules(setting, 'A').filter(({ foreground }) => foreground !== undefined),
        [],
      );
    }
  });
});
