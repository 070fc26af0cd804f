/**
 * The process that makes a JPEG of a picture in HEIC (`heic.ts` begins and bounds it): the picture on stdin, the
 * JPEG on stdout. Whatever goes wrong ends it with another exit code than 0.
 *
 *   node heic-child.ts <most pixels> <longest side, pixels>
 */
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { encode } from 'jpeg-js';
import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js';
import { onWhite, type Picture, shrink } from './shrink.ts';

const quality = 82;
/** Of a plane that has red, green and blue beside each other, and how opaque each pixel is if the picture says so. */
const channels = { opaque: 3, transparent: 4 };

const [pixelsMax, sideMax] = process.argv.slice(2).map(Number) as [number, number];
const heif = loadHeif();
const { data } = encode(shrink(decode(readFileSync(0)), sideMax), quality);
for (let at = 0; at < data.length; ) at += writeSync(1, data, at);

/** The package's own way to its WebAssembly looks for it in the working folder. */
function loadHeif(): MainModule {
  const require = createRequire(import.meta.url);
  const load: (options: object) => MainModule = require('libheif-js/libheif-wasm/libheif.js');
  const wasmBinary = readFileSync(require.resolve('libheif-js/libheif-wasm/libheif.wasm'));
  const nothing = () => undefined;
  // What it prints would otherwise stand in the picture.
  return load({ wasmBinary, print: nothing, printErr: nothing });
}

/** The picture that the file is shown as, turned and mirrored as it says. */
function decode(bytes: Uint8Array<ArrayBuffer>): Picture {
  const context = heif.heif_context_alloc();
  const read = heif.heif_context_read_from_memory(context, bytes);
  if (read.code !== heif.heif_error_code.heif_error_Ok) throw new Error(String(read.message));
  const handle = heif.heif_js_context_get_primary_image_handle(context);
  if (handle.code) throw new Error(handle.message);
  const pixels =
    heif.heif_image_handle_get_width(handle) * heif.heif_image_handle_get_height(handle);
  if (pixels > pixelsMax) throw new Error(`${pixels} pixels`);
  // Letters on nothing would be black on black if what is transparent were left out.
  const isTransparent = heif.heif_image_handle_has_alpha_channel(handle) !== 0;
  const { heif_chroma_interleaved_RGBA, heif_chroma_interleaved_RGB } = heif.heif_chroma;
  const decoded = heif.heif_js_decode_image2(
    handle,
    heif.heif_colorspace.heif_colorspace_RGB,
    isTransparent ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
  );
  if (decoded.code) throw new Error(decoded.message);
  const [plane] = decoded.channels;
  const { width, height, stride, data } = plane;
  // The stream within may be another size than the file declared.
  if (width * height > pixelsMax) throw new Error(`${width * height} pixels`);
  if (!isTransparent) return { width, height, stride, channels: channels.opaque, data };
  const isPremultiplied = heif.heif_image_handle_is_premultiplied_alpha(handle) !== 0;
  const picture = { width, height, stride, channels: channels.transparent, data };
  onWhite(picture, isPremultiplied);
  return picture;
}
