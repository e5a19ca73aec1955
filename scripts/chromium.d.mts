export declare function findChromium(env?: NodeJS.ProcessEnv): string | undefined;
export declare function hasQuickChromium(): boolean;
export declare function installChromium(): Promise<boolean>;
