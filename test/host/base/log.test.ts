import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RequestLogEntry } from '../../../src/client/serviceClient';
import { logRequest } from '../../../src/host/base/log';

describe('The log', () => {
  /** Logs an entry to a real channel and returns its lines. */
  function getLogLines(entry: RequestLogEntry): string[] {
    const channel = vscode.window.createOutputChannel('Parley test', { log: true });
    const lines: string[] = [];
    const spy = (level: string) => (line: string) => lines.push(`${level} ${line}`);
    logRequest({ ...channel, info: spy('info'), warn: spy('warn') } as vscode.LogOutputChannel, entry);
    channel.dispose();
    return lines;
  }

  it('has one line per request with operation, status and duration', () => {
    assert.deepEqual(getLogLines({ operation: 'GET /bots', status: 200, durationMs: 12.4 }), [
      'info GET /bots 200 12 ms',
    ]);
  });

  it('has warnings for failed requests, but not for stopped ones', () => {
    const failed = { operation: 'POST /messages/stream', durationMs: 3, errorCode: 'unreachable' } as const;
    assert.deepEqual(getLogLines(failed), ['warn POST /messages/stream - 3 ms unreachable']);
    assert.deepEqual(getLogLines({ ...failed, status: 200, errorCode: 'aborted' }), [
      'info POST /messages/stream 200 3 ms aborted',
    ]);
  });
});
