import assert from 'node:assert/strict';
import { Events } from '../../../src/webview/base/events';

describe('events', () => {
  it('reach their listeners until those are removed', () => {
    const events = new Events<{ chunk: string; end: undefined }>();
    const heard: string[] = [];
    const remove = events.on('chunk', (text) => heard.push(`first ${text}`));
    events.on('chunk', (text) => heard.push(`second ${text}`));
    events.on('end', () => heard.push('end'));
    events.fire('chunk', 'a');
    remove();
    events.fire('chunk', 'b');
    assert.deepEqual(heard, ['first a', 'second a', 'second b']);
  });

  it('tell whether anything listened', () => {
    const events = new Events<{ show: undefined }>();
    assert.equal(events.fire('show', undefined), false);
    const remove = events.on('show', () => undefined);
    assert.equal(events.fire('show', undefined), true);
    remove();
    assert.equal(events.fire('show', undefined), false);
  });
});
