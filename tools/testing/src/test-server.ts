/** `pid` is undefined for a container. */
export interface TestServer {
  url: string;
  pid: number | undefined;
  stop(): Promise<void>;
}
