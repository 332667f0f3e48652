import { findPendingServiceDocuments } from '../../../src/chat/documents/serviceDocuments';
import { assertLinear } from '../../support/cpuTime';
import { conversationOf } from '../support/conversations';

describe('findPendingServiceDocuments', () => {
  it('takes linear time for a list of thousands', async () => {
    await assertLinear((count) => {
      const documents = Array.from({ length: count }, (_, index) => ({
        ...{ id: `${100_000 + index}`, name: `${index}`, status: 'syncing' },
      }));
      findPendingServiceDocuments({ ...conversationOf([]), listed: { documents, canRemove: false } });
    }, 5000);
  });
});
