export declare function withLock<T>(
  folder: string,
  work: () => Promise<T>,
  onWait?: () => void,
): Promise<T>;
