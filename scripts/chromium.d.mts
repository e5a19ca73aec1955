export declare function findChromium(env?: NodeJS.ProcessEnv): string | undefined;
export declare function installChromium(): Promise<boolean>;
