import type { Provider } from './provider.ts';

/** Models in a cloud that uses its own keys. Hosts depend on a region or a customer, so the policy names them. */
export const cloudProviders = {
  'azure-openai': {
    title: 'Azure OpenAI',
    key: 'key of a resource',
    sources: ['openai 6.49.0', 'https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference#authentication'],
    ways: [
      {
        hosts: [],
        hostExample: 'NAME.openai.azure.com',
        injection: { kind: 'header', name: 'api-key' },
        use: 'phantom',
      },
    ],
    variables: [{ name: 'AZURE_OPENAI_API_KEY', readBy: 'openai (AzureOpenAI)', delivered: 'always' }],
    baseUrls: [{ name: 'AZURE_OPENAI_ENDPOINT', readBy: 'openai (AzureOpenAI)', path: '' }],
    shapes: [
      { of: 'key of a resource', prefix: '', alphabet: 'base62', length: 84, checksum: 'none' },
      { of: 'key of a resource, older', prefix: '', alphabet: 'hex', length: 32, checksum: 'none' },
    ],
    note: 'Every customer has a host of their own, and a key must not go to another one: `hosts` names it.',
  },
  vertex: {
    title: 'Vertex AI',
    key: 'JSON key of a service account',
    sources: [
      '@google/genai 2.32.0',
      'https://cloud.google.com/vertex-ai/docs/authentication',
      'https://cloud.google.com/sdk/docs/properties',
    ],
    ways: [
      {
        hosts: ['aiplatform.googleapis.com'],
        injection: { kind: 'service-account', scopes: ['https://www.googleapis.com/auth/cloud-platform'] },
        use: 'always',
      },
    ],
    variables: [{ name: 'CLOUDSDK_AUTH_ACCESS_TOKEN', readBy: 'gcloud', delivered: 'always' }],
    baseUrls: [{ name: 'GOOGLE_VERTEX_BASE_URL', readBy: '@google/genai', path: '' }],
    shapes: [{ of: 'access token', prefix: 'ya29.', alphabet: 'base64url', length: 200, checksum: 'none' }],
    note: 'The host without a region. Regional ones, such as `us-east5-aiplatform.googleapis.com`, are named by `hosts`. The key signs outside; the box has a phantom of the access token.',
  },
  'vertex-key': {
    title: 'Vertex AI',
    key: 'API key (express mode)',
    sources: [
      '@google/genai 2.32.0',
      'https://cloud.google.com/vertex-ai/generative-ai/docs/start/express-mode/overview',
    ],
    ways: [
      { hosts: ['aiplatform.googleapis.com'], injection: { kind: 'header', name: 'x-goog-api-key' }, use: 'phantom' },
    ],
    variables: [
      { name: 'GOOGLE_API_KEY', readBy: '@google/genai with GOOGLE_GENAI_USE_VERTEXAI', delivered: 'always' },
    ],
    baseUrls: [{ name: 'GOOGLE_VERTEX_BASE_URL', readBy: '@google/genai', path: '' }],
    shapes: [],
  },
  bedrock: {
    title: 'Amazon Bedrock',
    key: 'secret access key',
    sources: [
      'https://docs.aws.amazon.com/general/latest/gr/bedrock.html',
      'https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html',
    ],
    ways: [
      {
        hosts: [],
        hostExample: 'bedrock-runtime.us-east-1.amazonaws.com',
        injection: { kind: 'sigv4', service: 'bedrock' },
        use: 'phantom',
      },
    ],
    variables: [
      { name: 'AWS_ACCESS_KEY_ID', readBy: 'AWS SDKs and CLI', template: '{phantom:accessKeyId}', delivered: 'always' },
      { name: 'AWS_SECRET_ACCESS_KEY', readBy: 'AWS SDKs and CLI', delivered: 'always' },
      {
        name: 'AWS_SESSION_TOKEN',
        readBy: 'AWS SDKs and CLI, of temporary keys',
        template: '{phantom:sessionToken}',
        delivered: 'asked',
      },
    ],
    baseUrls: [
      { name: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME', readBy: 'AWS SDKs and CLI', path: '' },
      { name: 'ANTHROPIC_BEDROCK_BASE_URL', readBy: 'Claude Code', path: '' },
    ],
    shapes: [{ of: 'secret access key', prefix: '', alphabet: 'base62', length: 40, checksum: 'none' }],
    note: 'Hosts are regional: `hosts` names them. The access key ID is a phantom as well; requests that are signed with it are signed again outside. Where the source gives no ID, `inject = { kind = "sigv4", service = "bedrock", access_key_id = "…" }` does.',
  },
  'bedrock-key': {
    title: 'Amazon Bedrock',
    key: 'API key',
    sources: ['openai 6.49.0', 'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-use.html'],
    ways: [
      {
        hosts: [],
        hostExample: 'bedrock-runtime.us-east-1.amazonaws.com',
        injection: { kind: 'bearer' },
        use: 'phantom',
      },
    ],
    variables: [{ name: 'AWS_BEARER_TOKEN_BEDROCK', readBy: 'AWS SDKs, openai, Claude Code', delivered: 'always' }],
    baseUrls: [{ name: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME', readBy: 'AWS SDKs and CLI', path: '' }],
    shapes: [{ of: 'long-term key', prefix: 'ABSK', alphabet: 'base62', length: 128, checksum: 'none' }],
    note: 'Hosts are regional: `hosts` names them.',
  },
} as const satisfies Readonly<Record<string, Provider>>;
