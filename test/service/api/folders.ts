import type { Folder } from '../records';
import { addFolder } from '../state';
import { type ApiCall, findOrThrow, type Route, Validation } from './apiCall';
import { paginate } from './pages';
import { toFolder } from './shapes';

function readName({ body }: ApiCall): string {
  const fields = new Validation(body);
  const name = fields.requireString('name');
  fields.check();
  return name;
}

const find = ({ state, id }: ApiCall): Folder => findOrThrow(state.folders, id, 'folder');

export const folderRoutes: readonly Route[] = [
  {
    operation: 'GET /folders',
    handle(call) {
      const { data, ...rest } = paginate(call, [...call.state.folders.values()]);
      return { body: { data: data.map((folder) => toFolder(call.state, folder)), ...rest } };
    },
  },
  {
    operation: 'POST /folders',
    handle: (call) => ({ body: { data: toFolder(call.state, addFolder(call.state, readName(call))) } }),
  },
  {
    operation: 'GET /folders/{id}',
    handle: (call) => ({ body: { data: toFolder(call.state, find(call)) } }),
  },
  {
    operation: 'POST /folders/{id}',
    handle(call) {
      const folder = find(call);
      folder.name = readName(call);
      return { body: { data: toFolder(call.state, folder) } };
    },
  },
];
