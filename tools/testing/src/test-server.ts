/** A server of the tests' own. `pid` is there when it is a process of this machine, not a container. */
export interface TestServer {
  url: string;
  pid: number | undefined;
  stop(): Promise<void>;
}
