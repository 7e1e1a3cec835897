/** The upper half of code page 852, from 0x80 on. Source: Unicode, mapping table CP852.TXT. */
const upperHalf =
  "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0";

/** Decodes code page 852, DOS Latin 2, which `TextDecoder` does not know. */
export function decodeCp852(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\x80-\xff]/g, (byte) => upperHalf[byte.charCodeAt(0) - 0x80]!);
}
