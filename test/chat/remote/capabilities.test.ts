import assert from 'node:assert/strict';
import { Capabilities, isUnsupported, type SubjectState } from '../../../src/chat/remote/capabilities';
import { ServiceError } from '../../../src/client/serviceError';

describe('Capabilities', () => {
  const fail = (status: number, reason?: string) => async (): Promise<string> => {
    throw new ServiceError('service', { operation: 'GET /bots', message: '', maySend: true, status, reason });
  };

  it('are there until the service says that it lacks one, which is then not requested again', async () => {
    for (const status of [404, 405, 501]) {
      const capabilities = new Capabilities();
      assert.equal(await capabilities.use('GET /bots', fail(status)), undefined);
      assert.equal(await capabilities.use('GET /bots', async () => 'bots'), undefined);
      assert.deepEqual([capabilities.has('GET /bots'), capabilities.has('document_ids')], [false, true]);
    }
  });

  it('stay once one has worked, whatever the service says later', async () => {
    for (const status of [404, 405, 501]) {
      const capabilities = new Capabilities();
      assert.equal(await capabilities.use('GET /bots', async () => 'bots'), 'bots');
      await assert.rejects(capabilities.use('GET /bots', fail(status)), { status });
      assert.equal(await capabilities.use('GET /bots', async () => 'bots'), 'bots');
    }
  });

  it('are there after any other failure', async () => {
    const capabilities = new Capabilities();
    await assert.rejects(capabilities.use('GET /bots', fail(500)), { status: 500 });
    await assert.rejects(capabilities.use('GET /bots', fail(404, 'redirected')), { status: 404 });
    const bug = Object.assign(new Error('a bug'), { status: 404 });
    await assert.rejects(
      capabilities.use('GET /bots', () => Promise.reject(bug)),
      bug,
    );
    assert.ok(capabilities.has('GET /bots'));
  });

  it('are there after a 404 unless the subjects of two requests are there', async () => {
    for (const state of ['gone', 'unknown', 'there'] as const satisfies readonly SubjectState[]) {
      const capabilities = new Capabilities();
      const use = async (id: string) => {
        const used = capabilities.use('GET /messages', fail(404), {
          id,
          check: async ({ status }) => {
            assert.equal(status, 404);
            return state;
          },
        });
        if (state === 'there') assert.equal(await used, undefined);
        else await assert.rejects(used, { status: 404 });
      };
      await use('c1');
      await use('c1');
      assert.ok(capabilities.has('GET /messages'));
      await use('c2');
      assert.equal(capabilities.has('GET /messages'), state !== 'there');
    }
  });

  it('are missing after a status that can mean nothing else, for one subject', async () => {
    const capabilities = new Capabilities();
    const check = () => assert.fail('Only a 404 is ambiguous.');
    assert.equal(await capabilities.use('GET /messages', fail(501), { id: 'c1', check }), undefined);
    assert.ok(!capabilities.has('GET /messages'));
  });

  it('are told apart by the status of an answer of the service itself', () => {
    assert.ok(isUnsupported({ status: 405, reason: undefined }));
    assert.ok(!isUnsupported({ status: 405, reason: 'redirected' }));
    assert.ok(!isUnsupported({ status: undefined, reason: undefined }));
  });
});
