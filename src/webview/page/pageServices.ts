import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { FileExistence } from '../files/fileExistence';
import { createLazyPathLinks } from '../files/lazyPathLinks';
import { Highlighter } from '../highlight/highlighter';
import { Formulas } from '../math/formulas';
import { HostConnection } from './hostConnection';
import { PanelController } from './panelController';
import type { PageState } from './state';

/** All services of the page, by name; components pick the ones they need. */
export type Services = ReturnType<typeof createServices>;

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('No services around this component.');
  return services;
}

export function usePage(): PanelController {
  return useServices().page;
}

/** `render`: called with each new state. */
export function createServices(render: (state: PageState) => void) {
  const host = new HostConnection();
  const highlighter = new Highlighter();
  const files = new FileExistence((paths) => host.request('checkPaths', { paths }));
  return {
    host,
    highlighter,
    formulas: new Formulas(),
    files,
    pathLinks: createLazyPathLinks(files, ({ path, lines }) =>
      host.post({ type: 'openFile', path, ...(lines && { line: lines[0] }) }),
    ),
    page: new PanelController(host, highlighter, render),
  };
}
