/** The contract's operations, and those of the two other origins, by the names that faults use. */
export type Operation =
  | 'GET /bots'
  | 'GET /conversations'
  | 'POST /conversations'
  | 'GET /conversations/{id}'
  | 'POST /conversations/{id}'
  | 'DELETE /conversations/{id}'
  | 'GET /messages'
  | 'POST /messages'
  | 'GET /messages/{id}'
  | 'POST /messages/stream'
  | 'POST /uploads/signed-url'
  | 'POST /documents/file'
  | 'GET /documents'
  | 'GET stream'
  | 'PUT object'
  | 'GET object';
