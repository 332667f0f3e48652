import { type BinaryLike, generateKeyPairSync, sign } from 'node:crypto';

/**
 * Creates a self-signed certificate for a host, so that the repository contains no key and no tool is needed.
 */
export function createSelfSignedCertificate(host = '127.0.0.1'): {
  readonly key: string;
  readonly cert: string;
} {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const commonName = der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(host)));
  const name = der(0x30, der(0x31, commonName));
  const validity = der(0x30, utcTime('250101000000Z'), utcTime('490101000000Z'));
  const toBeSigned = der(
    0x30,
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(
    0x03,
    Buffer.from([0]),
    sign('sha256', toBeSigned as BinaryLike & NodeJS.ArrayBufferView, privateKey),
  );
  const base64 = der(0x30, toBeSigned, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
  };
}

/** Encodes one element in ASN.1's distinguished encoding. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}
