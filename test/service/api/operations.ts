/** The API's operations, by the names used in faults and profiles. */
type ApiOperation =
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
  | 'POST /documents'
  | 'GET /documents/{id}'
  | 'DELETE /documents/{id}'
  | 'GET /folders'
  | 'POST /folders'
  | 'GET /folders/{id}'
  | 'POST /folders/{id}';

/** The operations of all three origins. */
export type Operation = ApiOperation | 'GET stream' | 'PUT object' | 'GET object';
