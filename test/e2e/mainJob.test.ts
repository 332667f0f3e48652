import { repeat } from '../support/repetition';
import { describeInWorkbench } from './support/describeInWorkbench';
import { describeMainJob, mainJobFiles, mainJobService } from './support/mainJob';

/** The hosted service's behavior as documented and as captured, and only what the contract requires. */
const cases = [
  { profile: 'hosted', bot: 'Guide', usualHost: 'Node', toListed: (name: string) => name },
  {
    profile: 'captured',
    bot: 'Guide',
    usualHost: 'Node',
    toListed: (name: string) => name.replace(/\.\w+$/, ''),
  },
  // This profile doesn't report the bot's name, so Parley shows its id.
  { profile: 'minimal', bot: 'guide', usualHost: 'web worker', toListed: (name: string) => name },
] as const;

for (const { usualHost, ...job } of cases) {
  const { profile } = job;
  describeInWorkbench(
    `The main job with the ${profile} service`,
    {
      host: repeat(usualHost, 'both'),
      service: { profile, ...mainJobService },
      // Set by id, as a company's settings would.
      settings: { 'parley.botId': 'guide' },
      workspaceFiles: mainJobFiles,
    },
    ({ host, ...suite }) =>
      describeMainJob({
        ...suite,
        ...job,
        isHostInWindow: host === 'web worker',
        connectionsTag: ' [attack: other origin]',
      }),
  );
}
