import type { Trust, UntrustedView } from '#shared/api/untrusted-api.ts';
import type {
  PolicyDocument,
  TestedVerdict,
  TestPolicy,
  WritePolicy,
} from '#shared/vocabulary/policy-api.ts';
import type { Connection } from '../http/connection.ts';

/** The rules of what runs, asks or is refused. */
export const policyApi = ({ request }: Connection) => ({
  read: () => request<PolicyDocument>('/api/policy'),
  write: (body: WritePolicy) => request<PolicyDocument>('/api/policy', { method: 'PUT', body }),
  untrusted: () => request<UntrustedView>('/api/policy/untrusted'),
  trust: (body: Partial<Trust>) =>
    request<void>('/api/policy/untrusted/trust', { method: 'POST', body }),
  test: (body: TestPolicy) => request<TestedVerdict>('/api/policy/test', { method: 'POST', body }),
});
