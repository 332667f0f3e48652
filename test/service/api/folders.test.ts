import assert from 'node:assert/strict';
import type { LocalService } from '../localService';
import { call } from '../support/testCalls';
import { withLocalService } from '../support/withLocalService';

describe('local service: folders', () => {
  let service: LocalService;
  const restart = withLocalService(
    (started) => {
      service = started;
    },
    { profile: 'hosted', now: () => 1_700_000_000_000 },
  );
  const handbooks = { id: 'handbooks', name: 'Handbooks', created_at: 1_700_000_000 };
  const listFolders = async (query = '') => (await call(service, `GET /folders${query}`)).body;

  it('folders are listed in pages, created, read and renamed', async () => {
    assert.deepEqual((await listFolders()).data, [handbooks]);
    const created = (await call(service, 'POST /folders', { name: 'Projects' })).body.data;
    assert.deepEqual([created.name, created.created_at], ['Projects', 1_700_000_000]);
    assert.deepEqual((await call(service, `GET /folders/${created.id}`)).body.data, created);
    const renamed = await call(service, `POST /folders/${created.id}`, { name: 'Old projects' });
    assert.deepEqual(renamed.body.data, { ...created, name: 'Old projects' });
    const { data, meta } = await listFolders('?per_page=1');
    assert.deepEqual([data, meta.pagination.next_page], [[handbooks], 2]);
    assert.deepEqual((await listFolders('?per_page=1&page=2')).data, [renamed.body.data]);
    const text = { name: 'Prices', content: 'x', folder_id: created.id };
    assert.equal((await call(service, 'POST /documents', text)).body.data.folder_id, created.id);
  });

  it('a folder needs a name, has to exist and can’t be deleted', async () => {
    for (const path of ['/folders', '/folders/handbooks']) {
      const { status, body } = await call(service, `POST ${path}`, { name: ' ' });
      assert.deepEqual([status, Object.keys(body.errors)], [422, ['name']]);
    }
    assert.equal((await call(service, 'GET /folders/none')).status, 404);
    assert.equal((await call(service, 'POST /folders/none', { name: 'x' })).status, 404);
    assert.equal((await call(service, 'DELETE /folders/handbooks')).status, 405);
  });

  it('folders that clients created are gone after clearRecords', async () => {
    await call(service, 'POST /folders', { name: 'Projects' });
    service.clearRecords();
    assert.deepEqual((await listFolders()).data, [handbooks]);
  });

  it('a service without optional operations has no folders', async () => {
    await restart({ profile: 'minimal' });
    for (const operation of ['GET /folders', 'GET /folders/handbooks']) {
      assert.equal((await call(service, operation)).status, 404);
    }
    for (const operation of ['POST /folders', 'POST /folders/handbooks']) {
      assert.equal((await call(service, operation, { name: 'x' })).status, 404);
    }
  });
});
