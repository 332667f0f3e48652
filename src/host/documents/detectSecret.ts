/** What makes a file look as if it held a secret. */
export type SecretSign = 'name' | 'git' | 'privateKey';

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
  // Of Cloudflare's workers, of Azure's functions.
  /^\.dev\.vars|^local\.settings\.json$/,
  // What was typed into shells and their like, passwords among it.
  /^\.?[\w-]+_history$|^consolehost_history\.txt$|^\.(lesshst|viminfo)$/,
];

/** Files whose names are harmless elsewhere, with the folders that make them secret. */
const SECRET_PATHS =
  /\/\.(ssh|aws|gnupg|azure|kube)\/|\/\.docker\/[^/]+$|\/\.config\/(gh|hub|glab-cli|gcloud)(\/|$)|\/\.m2\/settings/;

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|^PuTTY-User-Key-File-/m;

/** Whether a file looks like a secret: by its path (`/` between its parts) or by how it begins. */
export function detectSecret(path: string, head: Uint8Array): SecretSign | undefined {
  const lower = path.toLowerCase();
  if (/(^|\/)\.git\//.test(lower)) return 'git';
  const base = lower.slice(lower.lastIndexOf('/') + 1);
  if (SECRET_NAMES.some((pattern) => pattern.test(base)) || SECRET_PATHS.test(lower)) return 'name';
  // Without NULs, UTF-16 reads as Latin-1 does.
  const text = new TextDecoder('latin1').decode(head).replaceAll('\0', '');
  return PRIVATE_KEY.test(text) ? 'privateKey' : undefined;
}
