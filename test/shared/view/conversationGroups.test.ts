import assert from 'node:assert/strict';
import {
  filterConversations,
  groupConversations,
  type ListFilter,
  selectConversations,
} from '../../../src/shared/view/conversationGroups';
import { summary } from '../../webview/support/states';

describe('groupConversations and filterConversations', () => {
  const now = new Date(2026, 2, 31, 0, 30).getTime();
  const titles = {
    pinned: 'Pinned',
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Previous 7 days',
    month: 'Previous 30 days',
    archived: 'Archived',
    formatMonth: (at: number) => `Month ${new Date(at).getMonth() + 1} of ${new Date(at).getFullYear()}`,
  };
  const getTitle = (at: Date) =>
    groupConversations([summary('a', 'A', { at: at.getTime() })], now, titles)[0]?.title;

  it('groups by calendar days, even if a day has 23 hours', () => {
    assert.equal(getTitle(new Date(2026, 2, 31, 0, 0)), 'Today');
    assert.equal(getTitle(new Date(2026, 2, 30, 23, 59)), 'Yesterday');
    assert.equal(getTitle(new Date(2026, 2, 30, 0, 0)), 'Yesterday');
    assert.equal(getTitle(new Date(2026, 2, 29, 23, 59)), 'Previous 7 days');
    assert.equal(getTitle(new Date(2026, 2, 24, 0, 0)), 'Previous 7 days');
    assert.equal(getTitle(new Date(2026, 2, 23, 23, 59)), 'Previous 30 days');
    assert.equal(getTitle(new Date(2026, 2, 1, 0, 0)), 'Previous 30 days');
    assert.equal(getTitle(new Date(2026, 1, 28, 23, 59)), 'Month 2 of 2026');
    assert.equal(getTitle(new Date(2025, 1, 28)), 'Month 2 of 2025');
    assert.equal(getTitle(new Date(2026, 3, 2)), 'Today', 'a clock that is ahead');
  });

  it('puts pinned conversations first and keeps the order otherwise', () => {
    const day = 86_400_000;
    const groups = groupConversations(
      [
        summary('a', 'A', { at: now }),
        summary('b', 'B', { at: now - day }),
        summary('c', 'C', { at: now - 2 * day, pinned: true }),
        summary('d', 'D', { at: now - 60 * day, pinned: true }),
        summary('e', 'E', { at: now - day }),
      ],
      now,
      titles,
    );
    assert.deepEqual(
      groups.map(({ title, conversations }) => [title, conversations.map(({ id }) => id).join()]),
      [
        ['Pinned', 'c,d'],
        ['Today', 'a'],
        ['Yesterday', 'b,e'],
      ],
    );
  });

  it('filters by words in name and bot, ignoring case and accents', () => {
    const all = [summary('a', 'Über uns'), summary('b', 'About', { bot: { id: 'x', name: 'Überbot' } })];
    const found = (filter: string) => filterConversations(all, filter).map(({ id }) => id);
    assert.deepEqual(found('uber'), ['a', 'b']);
    assert.deepEqual(found('UBER about'), ['b']);
    assert.deepEqual(found(''), ['a', 'b']);
  });

  it('puts archived conversations last, pinned ones too', () => {
    const groups = groupConversations(
      [summary('a', 'A', { at: now, archived: true, pinned: true }), summary('b', 'B', { at: now })],
      now,
      titles,
    );
    assert.deepEqual(
      groups.map(({ title }) => title),
      ['Today', 'Archived'],
    );
  });

  it('selects by bot, workspace and status, and archived ones only by status or search', () => {
    const app = { id: 'file:///app', name: 'app' };
    const all = [
      summary('a', 'Alpha', { workspace: app }),
      summary('b', 'Beta', { unread: true, bot: { id: 'legal', name: 'Legal' } }),
      summary('c', 'Gamma', { archived: true, workspace: app }),
    ];
    const select = (filter: ListFilter, words = '') =>
      selectConversations(all, filter, words).map(({ id }) => id);
    assert.deepEqual(select({}), ['a', 'b']);
    assert.deepEqual(select({}, ' '), ['a', 'b']);
    assert.deepEqual(select({}, 'a'), ['a', 'b', 'c']);
    assert.deepEqual(select({ workspace: app.id }), ['a']);
    assert.deepEqual(select({ workspace: app.id }, 'gamma'), ['c']);
    assert.deepEqual(select({ bot: 'legal' }), ['b']);
    assert.deepEqual(select({ status: 'unread' }), ['b']);
    assert.deepEqual(select({ status: 'archived' }), ['c']);
    assert.deepEqual(select({ status: 'archived', bot: 'legal' }), []);
  });
});
