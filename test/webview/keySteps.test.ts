import assert from 'node:assert/strict';
import { newContext } from './support/browser';

describe('A step of a test that presses keys', () => {
  it('presses each once, however long it takes', async () => {
    const context = await newContext();
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(100);
      await page.setContent('<input>');
      const input = page.locator('input');
      await input.pressSequentially('0123456789', { delay: 50 });
      await input.press('x', { delay: 500 });
      assert.equal(await input.inputValue(), '0123456789x');
    } finally {
      await context.close();
    }
  });
});
