export declare function hasBubblewrap(): boolean;
export declare function installBubblewrap(): Promise<boolean>;
