/** Why a file looks like it holds a secret. */
export type SecretReason = 'name' | 'git' | 'privateKey';

const SECRET_NAMES = [
  /^\.env|\.env(\.[^.]+)?$/,
  /\.(pem|key|p12|pfx|kdbx?|jks|keystore|ppk|asc|gpg|ovpn)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /^\.(npmrc|netrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg|my\.cnf|s3cfg|boto|vault-token|terraformrc|databrickscfg)$/,
  /^_netrc$/,
  /^\.?([^/]*[._-])?credentials?(\.|$)/,
  /^\.?secrets?(\.|$)|secrets[^/]*\.(ya?ml|json|toml|ini|properties|xml|conf|cfg)$/,
  /^(client_secret|service[-_]account).*\.json$/,
  /^(kubeconfig|terraform\.tfstate(\.backup)?|wallet\.dat|\.?rclone\.conf|auth\.json)$/,
  /\.tfvars(\.json)?$/,
  // Cloudflare Workers and Azure Functions.
  /^\.dev\.vars|^local\.settings\.json$/,
  // Histories of shells and similar tools, which may include passwords.
  /^\.?[\w-]+_history$|^consolehost_history\.txt$|^\.(lesshst|viminfo)$/,
];

/** Files that are secret because of the folder that they are in. */
const SECRET_PATHS =
  /\/\.(ssh|aws|gnupg|azure|kube)\/|\/\.docker\/[^/]+$|\/\.config\/(gh|hub|glab-cli|gcloud)(\/|$)|\/\.m2\/settings/;

/** In characters from the end. No file system has longer paths; matching takes quadratic time. */
const MAX_PATH_LENGTH = 8192;

const PRIVATE_KEY_PATTERN = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|^PuTTY-User-Key-File-/m;

/**
 * Returns why a file looks like a secret, by its path (with `/` as separator) or its first bytes; undefined
 * if it doesn't.
 */
export function detectSecret(path: string, head: Uint8Array): SecretReason | undefined {
  const lower = path.slice(-MAX_PATH_LENGTH).toLowerCase();
  if (/(^|\/)\.git\//.test(lower)) return 'git';
  const base = lower.slice(lower.lastIndexOf('/') + 1);
  if (SECRET_NAMES.some((pattern) => pattern.test(base)) || SECRET_PATHS.test(lower)) return 'name';
  // Without NUL bytes, ASCII text in UTF-16 can be read as Latin-1.
  const text = new TextDecoder('latin1').decode(head).replaceAll('\0', '');
  return detectPrivateKey(text);
}

/** Finds the first file of a Git diff that looks like a secret, and why: by its path or by its lines. */
export function detectSecretInDiff(
  diff: string,
): { readonly path: string; readonly secret: SecretReason } | undefined {
  let path = '';
  for (const line of diff.split('\n')) {
    // Paths have a prefix such as `b/`, and quotation marks if they have special characters.
    const named = /^(?:---|\+\+\+) "?./.test(line)
      ? line.slice(4).trimEnd().replace(/^"|"$/g, '')
      : undefined;
    if (named !== undefined && named !== '/dev/null') path = named;
    const byName = named === undefined ? undefined : detectSecret(`/${path}`, NOTHING);
    const secret = byName ?? detectPrivateKey(line.slice(1));
    if (secret) return { path, secret };
  }
  return undefined;
}

const NOTHING = new Uint8Array();

function detectPrivateKey(text: string): SecretReason | undefined {
  return PRIVATE_KEY_PATTERN.test(text) ? 'privateKey' : undefined;
}
