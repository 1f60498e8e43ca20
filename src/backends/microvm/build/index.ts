/** The images that microVMs start from: how they are made, where they stand, and which accelerator boots them. */
export { downloadKernel } from './apt-source.ts';
export { buildImage, type BuiltImage } from './build-image.ts';
export { withDownloadDirectory } from './download-directory.ts';
export { verifyImage, type MicrovmImage } from './image.ts';
export { imageError } from './image-error.ts';
export { installedSource } from './installed-source.ts';
export { packageSource } from './package-source.ts';
export { chooseAccelerator, type AcceleratorChoice } from './probe.ts';
export { forgetChoice } from './probe-memory.ts';
export { publishImage, removeImages } from './publish-image.ts';
