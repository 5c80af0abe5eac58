export async function examineHost(): Promise<never[]> {
  return [];
}
