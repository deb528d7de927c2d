/** Dimensions of the models that are asked for most, from their providers' documentation. */
const dimensions: Readonly<Record<string, number>> = {
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
  "text-embedding-ada-002": 1536,
  "gemini-embedding-001": 3072,
  "mistral-embed": 1024,
  "voyage-3": 1024,
  "voyage-3-large": 1024,
  "voyage-3-lite": 512,
  "voyage-code-3": 1024,
  "embed-english-v3.0": 1024,
  "embed-multilingual-v3.0": 1024,
  "embed-english-light-v3.0": 384,
  "embed-multilingual-light-v3.0": 384,
};

export function knownDimensions(modelId: string): number | undefined {
  return Object.hasOwn(dimensions, modelId) ? dimensions[modelId] : undefined;
}
