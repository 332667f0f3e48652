/** What the host accepts from a page, which keeps within it. Apart from the schemas, which the page's bundle doesn't need. */

/** Maximum size of the bytes in an `uploadChunk`. */
export const MAX_CHUNK_BYTES = 1024 * 1024;
/** Maximum number of files in an `uploadBegin`. */
export const MAX_UPLOADED_FILES = 100;
/** Maximum number of paths in a `checkPaths`. */
export const MAX_CHECKED_PATHS = 200;
/** Maximum length of a path or a file's name, in code units. */
export const MAX_PATH_LENGTH = 1000;
/** Maximum length of a draft that is compared with earlier questions, in code units. */
export const MAX_DRAFTED_QUESTION_LENGTH = 4000;
/** Maximum length of what is searched for in a `findMentions`, in code units. */
export const MAX_MENTION_QUERY_LENGTH = 100;
