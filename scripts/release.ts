// What a release on GitHub differs in from any other package.

export type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of package.json that a release uses. */
interface ReleaseManifest {
  readonly version: string;
  readonly repository: { readonly url: string };
  readonly bugs: { readonly url: string };
  readonly homepage: string;
}

/**
 * Returns the URL of the repository if this is the build of a release: of the tag of its version, on GitHub. Throws if
 * package.json doesn't name this repository, as with its placeholder, or another version.
 */
export function findReleaseUrl(manifest: ReleaseManifest, env: Environment): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_REF_NAME: tag } = env;
  if (env.GITHUB_REF_TYPE !== 'tag') return undefined;
  const url = `${server}/${name}`;
  const { version, repository, bugs, homepage } = manifest;
  if (repository.url !== `${url}.git` || bugs.url !== `${url}/issues` || homepage !== `${url}#readme`) {
    throw new Error(
      `Not ready for release: "repository", "bugs" and "homepage" in package.json must name ${url}, not ${repository.url}.`,
    );
  }
  if (tag !== `v${version}`) throw new Error(`The tag ${tag} isn't the version ${version} of package.json.`);
  return url;
}

/** Returns vsce's flags. A version with an odd minor number is a pre-release. */
export function getReleaseFlags({ version }: ReleaseManifest, releaseUrl: string | undefined): string[] {
  const [, minor] = version.split('.');
  return [
    ...(Number(minor) % 2 === 1 ? ['--pre-release'] : []),
    ...(releaseUrl === undefined
      ? ['--no-rewrite-relative-links']
      : [
          '--baseContentUrl',
          `${releaseUrl}/blob/v${version}`,
          '--baseImagesUrl',
          `${releaseUrl}/raw/v${version}`,
        ]),
  ];
}

/**
 * Removes pictures from Markdown, and keeps only the text of links to files: an extension's page can show neither
 * without a URL, even if the package contains them.
 */
export function removeRelativeLinks(markdown: string): string {
  return markdown
    .replace(/^!\[[^\]]*\]\((?!https:)[^)]+\)\n\n?/gm, '')
    .replace(/ \(\[how\]\((?![a-z]+:|#)[^)]+\)\)/g, '')
    .replace(/(?<!!)\[([^\]]*)\]\((?![a-z]+:|#)[^)]+\)/g, '$1');
}
