export declare function setUp(purpose: 'start' | 'test'): Promise<void>;
