export interface TestServer {
  url: string;
  pid: number | undefined;
  stop(): Promise<void>;
}
